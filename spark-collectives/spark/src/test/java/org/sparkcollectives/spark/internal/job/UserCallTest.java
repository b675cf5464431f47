package org.sparkcollectives.spark.internal.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.spark.util.CallSite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import py4j.reflection.MethodInvoker;

/** What calls are called after. */
@Timeout(60)
class UserCallTest {
  @Test
  void aCallOfPythonIsNotNamedAfterItsGateway() throws Exception {
    Callable<CallSite> call = () -> UserCall.site("reduce");
    MethodInvoker gateway =
        MethodInvoker.buildInvoker(Callable.class.getMethod("call"), new Class<?>[0]);
    FutureTask<Object> called = new FutureTask<>(() -> gateway.invoke(call, new Object[0]));
    new Thread(called).start(); // as the gateway calls, with nobody else on the stack
    CallSite site = (CallSite) called.get(30, TimeUnit.SECONDS);
    assertEquals("reduce", site.shortForm());
    assertEquals("reduce", site.longForm());
  }
}
