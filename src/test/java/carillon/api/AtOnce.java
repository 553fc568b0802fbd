package carillon.api;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Runs tasks of many concurrent clients. */
final class AtOnce {
  private AtOnce() {}

  /** Runs {@code tasks} tasks on {@code threads} threads and returns their results in order. */
  static <T> List<T> run(int threads, int tasks, IntFunction<T> task) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<T>> all =
          IntStream.range(0, tasks).<Callable<T>>mapToObj(i -> () -> task.apply(i)).toList();
      List<T> results = new ArrayList<>();
      for (Future<T> result : pool.invokeAll(all)) {
        results.add(result.get());
      }
      return results;
    } finally {
      pool.shutdownNow();
    }
  }
}
