/* Preloaded into a process, makes every sync of a file five milliseconds longer, as a disk that is not a laptop's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static void pause_ms(long ms) {
  struct timespec pause = {0, ms * 1000000L};
  nanosleep(&pause, 0);
}

int fsync(int descriptor) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  pause_ms(5);
  return real(descriptor);
}

int fdatasync(int descriptor) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  pause_ms(5);
  return real(descriptor);
}
