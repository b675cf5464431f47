package org.sparkcollectives.testing;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The modules of this JDK, for processes that are to have fewer, as images made by jlink have. */
public final class JdkModules {
  private JdkModules() {}

  /**
   * Options of a virtual machine that has all modules but one, and those that need it.
   *
   * @param module the name of the one
   * @return the words
   */
  public static List<String> without(String module) {
    List<ModuleDescriptor> all =
        ModuleFinder.ofSystem().findAll().stream().map(ModuleReference::descriptor).toList();
    Set<String> absent = new TreeSet<>(Set.of(module));
    int before = 0;
    while (absent.size() > before) {
      before = absent.size();
      for (ModuleDescriptor each : all) {
        if (each.requires().stream().anyMatch(required -> absent.contains(required.name()))) {
          absent.add(each.name());
        }
      }
    }
    List<String> rest = new ArrayList<>(all.stream().map(ModuleDescriptor::name).toList());
    rest.removeAll(absent);
    return List.of("--limit-modules", String.join(",", rest));
  }
}
