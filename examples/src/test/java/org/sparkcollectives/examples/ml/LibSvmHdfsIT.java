package org.sparkcollectives.examples.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.examples.Runs;
import org.sparkcollectives.examples.Runs.Run;
import org.sparkcollectives.examples.UserError;

@Timeout(300)
class LibSvmHdfsIT {

  @TempDir static java.nio.file.Path folder;

  private static MiniDFSCluster hdfs;
  private static String root;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = new Configuration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.toString());
    hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
    root = "hdfs://localhost:" + hdfs.getNameNodePort();
    FileSystem files = hdfs.getFileSystem();
    for (String part : new String[] {"train", "test"}) {
      String name = "digits-" + part + ".libsvm.gz";
      files.copyFromLocalFile(new Path("data", name), new Path("/", name));
    }
    try (FSDataOutputStream out = files.create(new Path("/bad"))) {
      out.writeBytes("1 1:1\nx 1:1\n");
    }
  }

  @AfterAll
  static void stop() {
    hdfs.shutdown();
  }

  @Test
  void trainsOnAFileOfHdfsAsOnTheSameFileOfTheJar() {
    Run ofHdfs =
        Runs.local(
            2,
            new LogisticRegression(),
            "--iterations",
            "3",
            "--data",
            root + "/digits-train.libsvm.gz",
            "--test",
            root + "/digits-test.libsvm.gz");
    Run ofJar = Runs.local(2, new LogisticRegression(), "--iterations", "3");
    assertEquals(0, ofHdfs.exitCode(), ofHdfs.output());
    for (String number : new String[] {"loss ([0-9.]+)", "test accuracy ([0-9.]+)"}) {
      assertEquals(ofJar.lastNumber(number), ofHdfs.lastNumber(number));
    }
  }

  @Test
  void explainsBadTextAndMissingFilesOfHdfs() {
    SparkConf conf =
        new SparkConf().setMaster("local[2]").setAppName("hdfs").set("spark.ui.enabled", "false");
    SparkContext sc = new SparkContext(conf);
    try {
      assertSays(root + "/bad, line 2, is not LIBSVM text", sc, root + "/bad");
      assertSays("There is no file " + root + "/absent", sc, root + "/absent");
    } finally {
      sc.stop();
    }
  }

  private static void assertSays(String part, SparkContext sc, String path) {
    UserError error = assertThrows(UserError.class, () -> LibSvm.read(sc, path));
    String message = String.valueOf(error.getMessage());
    assertTrue(message.contains(part), message);
  }
}
