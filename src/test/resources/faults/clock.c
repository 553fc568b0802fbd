/* The wall clock of a process is ahead by the milliseconds (an int64) that stand in the file TEST_WALL_CLOCK.
 * Its monotonic clock is left alone, as when somebody sets the clock of a machine. Loaded by LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>

static const volatile int64_t *ahead;
static int (*real)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  real = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
  const char *name = getenv("TEST_WALL_CLOCK");
  int file = name ? open(name, O_RDONLY) : -1;
  void *map = file < 0 ? MAP_FAILED : mmap(0, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
  if (map != MAP_FAILED) ahead = map;
}

int clock_gettime(clockid_t id, struct timespec *now) {
  if (!real) begin();
  int result = real(id, now);
  if (result == 0 && ahead && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) {
    int64_t nanos = now->tv_nsec + *ahead % 1000 * 1000000;
    now->tv_sec += *ahead / 1000 + (nanos >= 1000000000) - (nanos < 0);
    now->tv_nsec = (nanos + 1000000000) % 1000000000;
  }
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec precise;
  (void) zone;
  if (clock_gettime(CLOCK_REALTIME, &precise) != 0) return -1;
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *into) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (into) *into = precise.tv_sec;
  return precise.tv_sec;
}
