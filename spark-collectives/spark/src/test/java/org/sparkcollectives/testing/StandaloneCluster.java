package org.sparkcollectives.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;

/**
 * A Spark standalone cluster: a master, workers, and the executors that the workers start, each a
 * process of its own, all from the jars of a class path, on the loopback address or on given hosts.
 * {@link #close()} ends these processes and no others.
 *
 * <p>Executors get their shape from the application: {@link #conf} for a driver in this JVM, {@link
 * #submit} for one started by {@code SparkSubmit}.
 */
public final class StandaloneCluster implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofMinutes(4);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(15);
  private static final Pattern MASTER_URL =
      Pattern.compile("Starting Spark master at (spark://[^\\s]+)");
  private static final Pattern WEB_URL =
      Pattern.compile("Bound MasterWebUI to .*started at (http://[^\\s]+)");

  private static final String EXECUTOR_OPTIONS = "spark.executor.extraJavaOptions";

  private final Path logs;
  private final SparkHome home;
  private final Host driver;
  private final List<Host> workerHosts;
  private final int cores;
  private final int memoryMiB;
  private final List<Process> workers = new ArrayList<>();
  private final Thread atExit = new Thread(this::endProcesses, "standalone-cluster-at-exit");
  private final Process master;
  private final String masterUrl;
  private final String webUrl;
  private int submissions;

  /**
   * A host that processes run on.
   *
   * @param address the address that they listen on and give out
   * @param launcher the words before a command that is to run there, which becomes that command
   */
  public record Host(String address, List<String> launcher) {

    /** This machine by its loopback address. */
    public static final Host LOOPBACK = new Host("127.0.0.1", List.of());

    /** Copies the list. */
    public Host {
      launcher = List.copyOf(launcher);
    }
  }

  private StandaloneCluster(
      Path logs, SparkHome home, Host driver, List<Host> workerHosts, int cores, int memoryMiB) {
    this.logs = logs;
    this.home = home;
    this.driver = driver;
    this.workerHosts = List.copyOf(workerHosts);
    this.cores = cores;
    this.memoryMiB = memoryMiB;
    boolean started = false;
    try {
      Path masterLog = logs.resolve("master.log");
      master =
          home.daemon(
                  driver,
                  masterLog,
                  "512m",
                  "org.apache.spark.deploy.master.Master",
                  List.of("--host", driver.address(), "--port", "0", "--webui-port", "0"))
              .start();
      Runtime.getRuntime().addShutdownHook(atExit);
      masterUrl = waitForLine(masterLog, MASTER_URL);
      webUrl = waitForLine(masterLog, WEB_URL);
      for (Host host : workerHosts) {
        workers.add(startWorker(workers.size(), host));
      }
      awaitWorkers(workerHosts.size());
      started = true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (!started) {
        close();
      }
    }
  }

  /**
   * Starts a cluster from this JVM's class path.
   *
   * @param logs folder for the logs of all processes; created
   * @param workers number of workers
   * @param cores cores that each worker offers, which may be more than the machine has
   * @param memoryMiB memory that each worker offers to executors, in MiB
   * @return the cluster, all workers registered
   */
  public static StandaloneCluster start(Path logs, int workers, int cores, int memoryMiB) {
    return start(logs, SparkHome.classPathOfThisJvm(), workers, cores, memoryMiB);
  }

  /**
   * Starts a cluster.
   *
   * @param logs folder for the logs of all processes; created
   * @param classPath Spark's jars; class folders and jars named {@code spark-collectives*} are
   *     given to the executors as the application's
   * @param workers number of workers
   * @param cores cores that each worker offers, which may be more than the machine has
   * @param memoryMiB memory that each worker offers to executors, in MiB
   * @return the cluster, all workers registered
   */
  public static StandaloneCluster start(
      Path logs, List<Path> classPath, int workers, int cores, int memoryMiB) {
    List<Host> hosts = Collections.nCopies(workers, Host.LOOPBACK);
    return start(logs, classPath, Host.LOOPBACK, hosts, cores, memoryMiB, Map.of());
  }

  /**
   * Starts a cluster with one worker, from this JVM's class path.
   *
   * @param logs folder for the logs of all processes; created
   * @param cores cores that the worker offers, which may be more than the machine has
   * @param memoryMiB memory that it offers to executors, in MiB
   * @param settings Spark's settings of master and worker, such as those of authentication
   * @return the cluster, the worker registered
   */
  public static StandaloneCluster start(
      Path logs, int cores, int memoryMiB, Map<String, String> settings) {
    return start(logs, Host.LOOPBACK, List.of(Host.LOOPBACK), cores, memoryMiB, settings);
  }

  /**
   * Starts a cluster on hosts, from this JVM's class path.
   *
   * @param logs folder for the logs of all processes; created
   * @param driver the host of this JVM, which becomes the master's too
   * @param workers the host of each worker
   * @param cores cores that each worker offers, which may be more than the machine has
   * @param memoryMiB memory that each worker offers to executors, in MiB
   * @return the cluster, all workers registered
   */
  public static StandaloneCluster start(
      Path logs, Host driver, List<Host> workers, int cores, int memoryMiB) {
    return start(logs, driver, workers, cores, memoryMiB, Map.of());
  }

  /**
   * Starts a cluster on hosts, from this JVM's class path.
   *
   * @param logs folder for the logs of all processes; created
   * @param driver the host of this JVM, which becomes the master's too
   * @param workers the host of each worker
   * @param cores cores that each worker offers, which may be more than the machine has
   * @param memoryMiB memory that each worker offers to executors, in MiB
   * @param settings Spark's settings of master and workers, such as those of authentication
   * @return the cluster, all workers registered
   */
  public static StandaloneCluster start(
      Path logs,
      Host driver,
      List<Host> workers,
      int cores,
      int memoryMiB,
      Map<String, String> settings) {
    List<Path> classPath = SparkHome.classPathOfThisJvm();
    return start(logs, classPath, driver, workers, cores, memoryMiB, settings);
  }

  private static StandaloneCluster start(
      Path logs,
      List<Path> classPath,
      Host driver,
      List<Host> workers,
      int cores,
      int memoryMiB,
      Map<String, String> settings) {
    try {
      Path folder = Files.createDirectories(logs.toAbsolutePath().normalize());
      Path own = Files.createTempDirectory(folder, "cluster-");
      return new StandaloneCluster(
          own,
          new SparkHome(own.resolve("home"), classPath, settings),
          driver,
          workers,
          cores,
          memoryMiB);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The master.
   *
   * @return a URL such as {@code spark://127.0.0.1:40123}
   */
  public String masterUrl() {
    return masterUrl;
  }

  /**
   * The folder with the logs of this cluster: {@code master.log}, {@code worker-N.log}, and the
   * executors' {@code worker-N/app-…/ID/stderr}.
   *
   * @return a folder below the one given at the start
   */
  public Path logs() {
    return logs;
  }

  /** Whether processes that start from now on have the classes of an archive. */
  boolean hasArchive() {
    return home.hasArchive();
  }

  /**
   * Settings of an application whose driver is this JVM. Its executors start fast and compile
   * little; what measures their speed removes {@code spark.executor.extraJavaOptions}.
   *
   * @param name the application's name
   * @param executors number of executors
   * @param coresPerExecutor cores, hence ranks, of each
   * @param executorMemory memory of each, such as {@code 512m}
   * @return new settings, to be changed and given to a {@code SparkContext}
   */
  public SparkConf conf(String name, int executors, int coresPerExecutor, String executorMemory) {
    return new SparkConf(false)
        .setMaster(masterUrl)
        .setAppName(name)
        .set("spark.driver.host", driver.address())
        .set("spark.driver.bindAddress", driver.address())
        .set("spark.ui.enabled", "false")
        .set("spark.local.dir", logs.resolve("local").toString())
        .set(
            "spark.executorEnv.SPARK_DIST_CLASSPATH", home.applicationClassPath()) // after the jars
        .set(EXECUTOR_OPTIONS, home.quickStart())
        .set("spark.executor.cores", Integer.toString(coresPerExecutor))
        .set("spark.cores.max", Integer.toString(executors * coresPerExecutor))
        .set("spark.executor.memory", executorMemory)
        .set("spark.scheduler.minRegisteredResourcesRatio", "1.0")
        .set("spark.scheduler.maxRegisteredResourcesWaitingTime", "240s");
  }

  /**
   * What a submitted application left.
   *
   * @param exitCode the exit code of its driver
   * @param output what it wrote to standard output and error, as UTF-8
   */
  public record Submitted(int exitCode, String output) {}

  /**
   * Runs an application with {@code spark-submit}'s main class in client mode, and waits for its
   * end.
   *
   * @param mainClass its main class
   * @param jar the jar that holds it
   * @param settings Spark's settings, as after {@code --conf}
   * @param arguments the application's own arguments
   * @param timeout how long it may take
   * @return its exit code and output
   */
  public Submitted submit(
      String mainClass,
      Path jar,
      Map<String, String> settings,
      List<String> arguments,
      Duration timeout) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("--master", masterUrl, "--deploy-mode", "client", "--class", mainClass));
    Map<String, String> all = new TreeMap<>(settings);
    all.putIfAbsent(EXECUTOR_OPTIONS, home.quickStart());
    all.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
    command.add(jar.toString());
    command.addAll(arguments);
    Path log = logs.resolve("submit-" + submissions++ + ".log");
    try {
      Process process =
          home.application(driver, log, "1g", "org.apache.spark.deploy.SparkSubmit", command)
              .start();
      try {
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new IllegalStateException(
              mainClass + " has not ended within " + timeout + "; its log is " + log);
        }
        return new Submitted(process.exitValue(), Files.readString(log, StandardCharsets.UTF_8));
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + mainClass, e);
    }
  }

  /**
   * Kills one executor as a crash would (SIGKILL).
   *
   * @param pid its process id, which must be that of a process started by this cluster's workers
   */
  public void killExecutor(long pid) {
    ProcessHandle executor =
        executors().stream()
            .filter(handle -> handle.pid() == pid)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "process " + pid + " is no executor of this cluster"));
    executor.destroyForcibly();
  }

  /**
   * Kills a worker and its executors, as the loss of a machine would; nothing takes their place.
   *
   * @param index the worker, from 0
   */
  public void killWorker(int index) {
    Process worker = workers.get(index);
    List<ProcessHandle> executors = worker.descendants().toList();
    worker.destroyForcibly();
    executors.forEach(ProcessHandle::destroyForcibly);
  }

  /**
   * Starts a worker in the place of one that was killed.
   *
   * @param index the worker, from 0
   */
  public void replaceWorker(int index) {
    try {
      workers.get(index).onExit().get(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      workers.set(index, startWorker(index, workerHosts.get(index)));
      awaitWorkers(workers.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a worker starts", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("worker " + index + " has not ended", e);
    }
  }

  /**
   * The executors of a worker that run now.
   *
   * @param worker the worker, from 0
   * @return their processes
   */
  public List<ProcessHandle> executors(int worker) {
    return workers.get(worker).descendants().toList();
  }

  /**
   * The executors that run now.
   *
   * @return their processes
   */
  public List<ProcessHandle> executors() {
    return workers.stream().flatMap(Process::descendants).toList();
  }

  /** Ends all processes of this cluster and removes what it made but its logs. */
  @Override
  public void close() {
    endProcesses();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException alreadyShuttingDown) {
      return; // the hook is running or has run
    }
    if (Files.exists(home.folder())) {
      home.delete();
    }
  }

  private Process startWorker(int index, Host host) throws IOException {
    Path folder = Files.createDirectories(logs.resolve("worker-" + index));
    return home.daemon(
            host,
            logs.resolve("worker-" + index + ".log"),
            "512m",
            "org.apache.spark.deploy.worker.Worker",
            List.of(
                "--host",
                host.address(),
                "--port",
                "0",
                "--webui-port",
                "0",
                "--cores",
                Integer.toString(cores),
                "--memory",
                memoryMiB + "m",
                "--work-dir",
                folder.toString(),
                masterUrl))
        .start();
  }

  private String waitForLine(Path log, Pattern pattern) throws IOException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < START_TIMEOUT.toNanos()) {
      if (Files.exists(log)) {
        Matcher matcher = pattern.matcher(Files.readString(log, StandardCharsets.UTF_8));
        if (matcher.find()) {
          return matcher.group(1);
        }
      }
      if (!master.isAlive()) {
        break;
      }
      pause();
    }
    throw new IllegalStateException("the master has not started; its log is " + log);
  }

  private void awaitWorkers(int count) throws IOException {
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(webUrl + "/json/"))
            .timeout(Duration.ofSeconds(30))
            .build();
    long start = System.nanoTime();
    while (System.nanoTime() - start < START_TIMEOUT.toNanos()) {
      try {
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        JsonNode state = new ObjectMapper().readTree(answer.body());
        if (state.path("aliveworkers").asInt() == count) {
          return;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while the cluster starts", e);
      }
      pause();
    }
    throw new IllegalStateException(
        count + " workers have not registered; the logs are in " + logs);
  }

  private void endProcesses() {
    Set<ProcessHandle> handles = new LinkedHashSet<>();
    for (Process worker : workers) {
      worker.descendants().forEach(handles::add);
      handles.add(worker.toHandle());
    }
    if (master != null) {
      handles.add(master.toHandle());
    }
    handles.forEach(ProcessHandle::destroy);
    long start = System.nanoTime();
    for (ProcessHandle handle : handles) {
      long left = STOP_TIMEOUT.toNanos() - (System.nanoTime() - start);
      handle.onExit().completeOnTimeout(handle, Math.max(1, left), TimeUnit.NANOSECONDS).join();
      handle.destroyForcibly();
    }
    for (ProcessHandle handle : handles) {
      handle.onExit().completeOnTimeout(handle, 10, TimeUnit.SECONDS).join();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the cluster starts", e);
    }
  }
}
