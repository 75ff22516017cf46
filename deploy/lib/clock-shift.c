// Shifts the wall clock of a program by the whole seconds in the file CLOCK_SHIFT_FILE, a text such as "+3600", which may change at any
// time. Monotonic clocks stay right. libfaketime cannot do this for these programs: it allocates memory when it reads a clock, which
// programs with jemalloc do not survive, and its timers of a past time make the event loops of Swift spin.
//
// Built by: clang -shared -fPIC -O1 -o clock-shift.so deploy/lib/clock-shift.c

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static _Atomic int64_t shift, read_at = -1;

static void read_shift(void) {
    const char *path = getenv("CLOCK_SHIFT_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    char text[32];
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    // A file that is being written may be empty.
    if (length <= 0) return;
    text[length] = 0;
    shift = strtoll(text, NULL, 10);
}

// The file is read at most every tenth of a second.
static int64_t seconds(void) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    int64_t tenth = now.tv_sec * 10 + now.tv_nsec / 100000000;
    if (atomic_exchange(&read_at, tenth) != tenth) {
        int before = errno;
        read_shift();
        errno = before;
    }
    return shift;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += seconds();
    return result;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
    *now = (struct timeval){exact.tv_sec, exact.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
