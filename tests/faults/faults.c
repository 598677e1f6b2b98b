/* Makes a call of the C library fail: preloaded by tests/faults/faults.py (LD_PRELOAD).
 *
 *   PREVICT_FAULT=CALL:N:HOW[:COUNT]   the N-th CALL (from 1) fails, and so do the COUNT - 1 calls after it (0: all)
 *   PREVICT_FAULT_CALLS=FILE           only counts the calls, and writes `CALL NUMBER` lines there at the end
 *
 * CALL: malloc (and calloc, realloc, aligned_alloc, posix_memalign), read, write, open (and openat), close, fsync,
 * rename, stat (and fstat, lstat, statx), lseek, getrandom, clock, thread (pthread_create), readdir, process
 * (posix_spawn), pipe, temporary (mkostemps). HOW: the name of an error below; `short`: the call does half of what was
 * requested; `jump`: from then on, the clock is a day and a half late; `untold`: the directory does not state the types
 * of its entries; `TERM`: SIGTERM arrives before the call, or right after a call of mkostemps.
 *
 * Calls that glibc makes internally are not intercepted: for the write() of stdio, use /dev/full and closed pipes. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum Call { MALLOC, READ, WRITE, OPEN, CLOSE, FSYNC, RENAME, STAT, LSEEK, GETRANDOM, CLOCK, THREAD, READDIR, PROCESS, PIPE, TEMPORARY, CALLS };
static const char* const kNames[CALLS] = {"malloc", "read", "write", "open",  "close",    "fsync",
                                          "rename", "stat", "lseek", "getrandom", "clock",
                                          "thread", "readdir", "process", "pipe", "temporary"};
static const struct {
    const char* name;
    int number;
} kErrors[] = {{"EIO", EIO},       {"ENOMEM", ENOMEM}, {"ENOSPC", ENOSPC}, {"EMFILE", EMFILE}, {"EINTR", EINTR},
               {"EACCES", EACCES}, {"EDQUOT", EDQUOT}, {"ENOENT", ENOENT}, {"EROFS", EROFS},   {"ESTALE", ESTALE},
             {"EAGAIN", EAGAIN}};

static atomic_long counted[CALLS];
static int faulty = -1;
static long first, last;
static int error_number;
static int is_short, is_untold, is_signal;
static int ready;
static const char* counts_file;

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

__attribute__((constructor)) static void begin(void) {
    counts_file = getenv("PREVICT_FAULT_CALLS");
    const char* fault = getenv("PREVICT_FAULT");
    if (fault != NULL) {
        char text[128];
        strncpy(text, fault, sizeof text - 1);
        text[sizeof text - 1] = 0;
        char* rest = text;
        const char* call = strsep(&rest, ":");
        const char* number = strsep(&rest, ":");
        const char* how = strsep(&rest, ":");
        const char* count = strsep(&rest, ":");
        for (int i = 0; i < CALLS; ++i) {
            if (strcmp(kNames[i], call) == 0) faulty = i;
        }
        first = number != NULL ? atol(number) : 1;
        const long many = count != NULL ? atol(count) : 1;
        last = many == 0 ? 0x7fffffffffffL : first + many - 1;
        is_short = how != NULL && strcmp(how, "short") == 0;
        is_signal = how != NULL && strcmp(how, "TERM") == 0;
        is_untold = how != NULL && strcmp(how, "untold") == 0;
        for (size_t i = 0; how != NULL && i < sizeof kErrors / sizeof *kErrors; ++i) {
            if (strcmp(kErrors[i].name, how) == 0) error_number = kErrors[i].number;
        }
    }
    ready = 1;
}

__attribute__((destructor)) static void end(void) {
    if (counts_file == NULL) return;
    char text[512];
    int size = 0;
    for (int i = 0; i < CALLS; ++i) size += snprintf(text + size, sizeof text - (size_t)size, "%s %ld\n", kNames[i], counted[i]);
    int (*const real)(const char*, int, ...) = (int (*)(const char*, int, ...))dlsym(RTLD_NEXT, "open");
    const int file = real(counts_file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t (*const put)(int, const void*, size_t) = (ssize_t (*)(int, const void*, size_t))dlsym(RTLD_NEXT, "write");
    if (file >= 0) (void)!put(file, text, (size_t)size);
}

/* Returns true if this is the call that fails. */
static int hit(enum Call call) {
    if (!ready) return 0;
    const long number = ++counted[call];
    const int fails = (int)call == faulty && number >= first && number <= last;
    if (fails && is_signal && call != TEMPORARY) raise(SIGTERM);
    return fails;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAILS(call, result)                   \
    if (hit(call)) {                          \
        if (!is_short) {                      \
            errno = error_number;             \
            return result;                    \
        }                                     \
        half = 1;                             \
    }

void* malloc(size_t size) {
    if (hit(MALLOC)) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
    if (hit(MALLOC)) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
    if (hit(MALLOC)) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    if (hit(MALLOC)) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) {
    if (hit(MALLOC)) return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out == NULL ? ENOMEM : 0;
}

ssize_t read(int file, void* to, size_t size) {
    int half = 0;
    FAILS(READ, -1)
    return REAL(read)(file, to, half && size > 1 ? size / 2 : size);
}
ssize_t write(int file, const void* from, size_t size) {
    int half = 0;
    FAILS(WRITE, -1)
    return REAL(write)(file, from, half && size > 1 ? size / 2 : size);
}
static int opened_with(int flags, va_list more) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, int) : 0;
}
int open(const char* path, int flags, ...) {
    int half = 0;
    va_list more;
    va_start(more, flags);
    const int mode = opened_with(flags, more);
    va_end(more);
    FAILS(OPEN, -1)
    (void)half;
    return REAL(open)(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    int half = 0;
    va_list more;
    va_start(more, flags);
    const int mode = opened_with(flags, more);
    va_end(more);
    FAILS(OPEN, -1)
    (void)half;
    return REAL(open)(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
    int half = 0;
    va_list more;
    va_start(more, flags);
    const int mode = opened_with(flags, more);
    va_end(more);
    FAILS(OPEN, -1)
    (void)half;
    return REAL(openat)(folder, path, flags, mode);
}
int close(int file) {
    /* A close that fails still closes the file. */
    int half = 0;
    const int closed = REAL(close)(file);
    FAILS(CLOSE, -1)
    (void)half;
    return closed;
}
int fsync(int file) {
    int half = 0;
    FAILS(FSYNC, -1)
    (void)half;
    return REAL(fsync)(file);
}
int rename(const char* from, const char* to) {
    int half = 0;
    FAILS(RENAME, -1)
    (void)half;
    return REAL(rename)(from, to);
}
#define STATS(name, parameters, arguments) \
    int name parameters {                  \
        int half = 0;                      \
        FAILS(STAT, -1)                    \
        (void)half;                        \
        return REAL(name) arguments;       \
    }
STATS(stat, (const char* path, struct stat* out), (path, out))
STATS(lstat, (const char* path, struct stat* out), (path, out))
STATS(fstat, (int file, struct stat* out), (file, out))
STATS(fstatat, (int folder, const char* path, struct stat* out, int flags), (folder, path, out, flags))
off_t lseek(int file, off_t offset, int from) {
    int half = 0;
    FAILS(LSEEK, -1)
    (void)half;
    return REAL(lseek)(file, offset, from);
}
ssize_t getrandom(void* to, size_t size, unsigned flags) {
    int half = 0;
    FAILS(GETRANDOM, -1)
    ssize_t (*const real)(void*, size_t, unsigned) = (ssize_t(*)(void*, size_t, unsigned))dlsym(RTLD_NEXT, "getrandom");
    return real(to, half && size > 1 ? size / 2 : size, flags);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* with) {
    return hit(THREAD) ? error_number : REAL(pthread_create)(thread, attributes, run, with);
}
struct dirent* readdir(DIR* folder) {
    const int fails = hit(READDIR);
    if (fails && !is_untold) {
        errno = error_number;
        return NULL;
    }
    struct dirent* const entry = REAL(readdir)(folder);
    if (fails && entry != NULL) entry->d_type = DT_UNKNOWN;
    return entry;
}
int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* attributes,
                char* const words[], char* const environment[]) {
    return hit(PROCESS) ? error_number : REAL(posix_spawn)(process, path, actions, attributes, words, environment);
}
int mkostemps(char* name, int ending, int flags) {
    const int fails = hit(TEMPORARY);
    if (fails && !is_signal) {
        errno = error_number;
        return -1;
    }
    const int file = REAL(mkostemps)(name, ending, flags);
    if (fails) raise(SIGTERM);
    return file;
}
int pipe2(int ends[2], int flags) {
    if (hit(PIPE)) {
        errno = error_number;
        return -1;
    }
    return REAL(pipe2)(ends, flags);
}
int clock_gettime(clockid_t id, struct timespec* now) {
    const int done = REAL(clock_gettime)(id, now);
    if (hit(CLOCK) || ((int)faulty == CLOCK && counted[CLOCK] > first)) now->tv_sec -= 36 * 3600;
    return done;
}
