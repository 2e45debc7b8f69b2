/*
 * Makes chosen calls to the operating system fail, or the process die in them.
 *
 * Loaded with LD_PRELOAD (Linux, glibc). Only calls count that concern a path below one of the
 * given folders; they are numbered from 1 in the order in which they are made.
 *
 *   COFFER_FAULT_FOLDERS  folders, absolute and without symbolic links, separated by colons
 *   COFFER_FAULT_CLASSES  classes of calls, separated by commas; those in `classes` below
 *   COFFER_FAULT_NUMBER   the number of the call at which it happens; 0 for none
 *   COFFER_FAULT_ACTION   what happens: "fail" this call, "fail-on" this one and all that follow,
 *                         "short" half of a write and then "fail-on", "die-before", "die-after",
 *                         "stop-before": the process stops until somebody continues it
 *   COFFER_FAULT_ERRNO    the error number of a failure
 *   COFFER_FAULT_LOG      a file that gets a line for each call that counts:
 *                         number, class, function, path and, for two paths, the second; by tabs
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum class { OPEN, READ, WRITE, SYNC, RENAME, REMOVE, MAKE, RESIZE, LOCK, STATE, LIST, MAP, COUNT };
static const char *const classes[COUNT] = {
    "open", "read", "write", "sync", "rename", "remove", "make", "resize", "lock", "state", "list",
    "map"};

enum action { NOTHING, FAIL, FAIL_ON, SHORT, DIE_BEFORE, DIE_AFTER, STOP_BEFORE };

static char folders[PATH_MAX * 2];
static unsigned wanted;
static long chosen;
static enum action action;
static int failure;
static int journal = -1;
static long counter;

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("COFFER_FAULT_FOLDERS");
  if (text == NULL || strlen(text) >= sizeof folders) return;
  strcpy(folders, text);
  text = getenv("COFFER_FAULT_CLASSES");
  for (int i = 0; text != NULL && i < COUNT; i++) {
    size_t length = strlen(classes[i]);
    for (const char *at = text; (at = strstr(at, classes[i])) != NULL; at += length)
      if ((at == text || at[-1] == ',') && (at[length] == ',' || at[length] == 0)) wanted |= 1u << i;
  }
  text = getenv("COFFER_FAULT_NUMBER");
  chosen = text == NULL ? 0 : atol(text);
  text = getenv("COFFER_FAULT_ERRNO");
  failure = text == NULL ? EIO : atoi(text);
  text = getenv("COFFER_FAULT_ACTION");
  if (text == NULL) action = NOTHING;
  else if (strcmp(text, "fail") == 0) action = FAIL;
  else if (strcmp(text, "fail-on") == 0) action = FAIL_ON;
  else if (strcmp(text, "short") == 0) action = SHORT;
  else if (strcmp(text, "die-before") == 0) action = DIE_BEFORE;
  else if (strcmp(text, "die-after") == 0) action = DIE_AFTER;
  else if (strcmp(text, "stop-before") == 0) action = STOP_BEFORE;
  text = getenv("COFFER_FAULT_LOG");
  if (text != NULL)
    journal = (int)syscall(
        SYS_openat, AT_FDCWD, text, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static int concerns(const char *path) {
  for (const char *folder = folders; *folder != 0;) {
    size_t length = strcspn(folder, ":");
    if (length > 0 && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0))
      return 1;
    folder += length + (folder[length] == ':');
  }
  return 0;
}

/* The path that a descriptor leads to; empty where there is none. */
static void path_of(int descriptor, char out[PATH_MAX]) {
  char name[40];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  long length = syscall(SYS_readlinkat, AT_FDCWD, name, out, PATH_MAX - 1);
  out[length < 0 ? 0 : length] = 0;
}

/* An absolute path; symbolic links on the way stay. */
static void absolute(int folder, const char *path, char out[PATH_MAX]) {
  out[0] = 0;
  if (path == NULL) return;
  if (path[0] == '/') {
    snprintf(out, PATH_MAX, "%s", path);
    return;
  }
  char base[PATH_MAX];
  if (folder == AT_FDCWD) {
    if (syscall(SYS_getcwd, base, sizeof base) < 0) return;
  } else {
    path_of(folder, base);
  }
  if (snprintf(out, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) out[0] = 0;
}

static void die(void) {
  for (;;) {
    syscall(SYS_kill, getpid(), SIGKILL);
    pause();
  }
}

/* Counts a call and says what is to become of it; for DIE_BEFORE nothing comes back. */
static enum action decide(enum class class, const char *function, const char *path, const char *other) {
  if ((wanted & 1u << class) == 0 || !(concerns(path) || (other[0] != 0 && concerns(other))))
    return NOTHING;
  int before = errno;
  long number = __atomic_add_fetch(&counter, 1, __ATOMIC_SEQ_CST);
  if (journal >= 0) {
    char line[2 * PATH_MAX + 100];
    int length = snprintf(
        line, sizeof line, "%ld\t%s\t%s\t%s%s%s\n", number, classes[class], function, path,
        other[0] != 0 ? "\t" : "", other);
    syscall(SYS_write, journal, line, length);
  }
  errno = before;
  if (chosen == 0 || number < chosen) return NOTHING;
  if (number > chosen) return action == FAIL_ON || action == SHORT ? FAIL : NOTHING;
  if (action == DIE_BEFORE) die();
  if (action == STOP_BEFORE) {
    syscall(SYS_kill, getpid(), SIGSTOP);
    errno = before;
    return NOTHING;
  }
  return action == FAIL_ON ? FAIL : action;
}

static enum action by_path(enum class class, const char *function, int folder, const char *path) {
  if (wanted == 0) return NOTHING;
  char full[PATH_MAX];
  absolute(folder, path, full);
  return decide(class, function, full, "");
}

static enum action by_paths(
    enum class class, const char *function, int f1, const char *p1, int f2, const char *p2) {
  if (wanted == 0) return NOTHING;
  char full[PATH_MAX], other[PATH_MAX];
  absolute(f1, p1, full);
  absolute(f2, p2, other);
  return decide(class, function, full, other);
}

static enum action by_descriptor(enum class class, const char *function, int descriptor) {
  if ((wanted & 1u << class) == 0) return NOTHING;
  int before = errno;
  char full[PATH_MAX];
  path_of(descriptor, full);
  errno = before;
  return decide(class, function, full, "");
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (real == NULL) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* A call with its outcome; SHORT is a failure where nothing can be halved. */
#define OUTCOME(decision, failed, call) \
  do { \
    enum action outcome = (decision); \
    if (outcome == FAIL || outcome == SHORT) { \
      errno = failure; \
      return failed; \
    } \
    __typeof__(call) result = (call); \
    if (outcome == DIE_AFTER) die(); \
    return result; \
  } while (0)

#define OPENING(name) \
  int name(const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = va_arg(rest, mode_t); \
    va_end(rest); \
    OUTCOME(by_path(OPEN, #name, AT_FDCWD, path), -1, real(path, flags, mode)); \
  }
OPENING(open)
OPENING(open64)

#define OPENING_AT(name) \
  int name(int folder, const char *path, int flags, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, flags); \
    mode_t mode = va_arg(rest, mode_t); \
    va_end(rest); \
    OUTCOME(by_path(OPEN, #name, folder, path), -1, real(folder, path, flags, mode)); \
  }
OPENING_AT(openat)
OPENING_AT(openat64)

#define CREATING(name) \
  int name(const char *path, mode_t mode) { \
    REAL(name); \
    OUTCOME(by_path(OPEN, #name, AT_FDCWD, path), -1, real(path, mode)); \
  }
CREATING(creat)
CREATING(creat64)

#define STREAMING(name) \
  FILE *name(const char *path, const char *mode) { \
    REAL(name); \
    OUTCOME(by_path(OPEN, #name, AT_FDCWD, path), NULL, real(path, mode)); \
  }
STREAMING(fopen)
STREAMING(fopen64)

ssize_t read(int fd, void *room, size_t count) {
  REAL(read);
  OUTCOME(by_descriptor(READ, "read", fd), -1, real(fd, room, count));
}
#define READING_AT(name, type) \
  ssize_t name(int fd, void *room, size_t count, type offset) { \
    REAL(name); \
    OUTCOME(by_descriptor(READ, #name, fd), -1, real(fd, room, count, offset)); \
  }
READING_AT(pread, off_t)
READING_AT(pread64, off64_t)
ssize_t readv(int fd, const struct iovec *pieces, int count) {
  REAL(readv);
  OUTCOME(by_descriptor(READ, "readv", fd), -1, real(fd, pieces, count));
}

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(write);
  enum action decided = by_descriptor(WRITE, "write", fd);
  if (decided == SHORT && count > 1) return real(fd, bytes, count / 2);
  OUTCOME(decided, -1, real(fd, bytes, count));
}
#define WRITING_AT(name, type) \
  ssize_t name(int fd, const void *bytes, size_t count, type offset) { \
    REAL(name); \
    enum action decided = by_descriptor(WRITE, #name, fd); \
    if (decided == SHORT && count > 1) return real(fd, bytes, count / 2, offset); \
    OUTCOME(decided, -1, real(fd, bytes, count, offset)); \
  }
WRITING_AT(pwrite, off_t)
WRITING_AT(pwrite64, off64_t)
ssize_t writev(int fd, const struct iovec *pieces, int count) {
  REAL(writev);
  OUTCOME(by_descriptor(WRITE, "writev", fd), -1, real(fd, pieces, count));
}
ssize_t sendfile(int out, int in, off_t *offset, size_t count) {
  REAL(sendfile);
  OUTCOME(by_descriptor(WRITE, "sendfile", out), -1, real(out, in, offset, count));
}
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t count, unsigned flags) {
  REAL(copy_file_range);
  OUTCOME(by_descriptor(WRITE, "copy_file_range", out), -1, real(in, from, out, to, count, flags));
}

#define RESIZING(name, type) \
  int name(int fd, type size) { \
    REAL(name); \
    OUTCOME(by_descriptor(RESIZE, #name, fd), -1, real(fd, size)); \
  }
RESIZING(ftruncate, off_t)
RESIZING(ftruncate64, off64_t)
int fallocate(int fd, int mode, off_t offset, off_t size) {
  REAL(fallocate);
  OUTCOME(by_descriptor(RESIZE, "fallocate", fd), -1, real(fd, mode, offset, size));
}

#define BY_DESCRIPTOR(class, name) \
  int name(int fd) { \
    REAL(name); \
    OUTCOME(by_descriptor(class, #name, fd), -1, real(fd)); \
  }
BY_DESCRIPTOR(SYNC, fsync)
BY_DESCRIPTOR(SYNC, fdatasync)
BY_DESCRIPTOR(SYNC, syncfs)

int rename(const char *from, const char *to) {
  REAL(rename);
  OUTCOME(by_paths(RENAME, "rename", AT_FDCWD, from, AT_FDCWD, to), -1, real(from, to));
}
int renameat(int f1, const char *from, int f2, const char *to) {
  REAL(renameat);
  OUTCOME(by_paths(RENAME, "renameat", f1, from, f2, to), -1, real(f1, from, f2, to));
}
int renameat2(int f1, const char *from, int f2, const char *to, unsigned flags) {
  REAL(renameat2);
  OUTCOME(by_paths(RENAME, "renameat2", f1, from, f2, to), -1, real(f1, from, f2, to, flags));
}
int link(const char *from, const char *to) {
  REAL(link);
  OUTCOME(by_paths(RENAME, "link", AT_FDCWD, from, AT_FDCWD, to), -1, real(from, to));
}
int linkat(int f1, const char *from, int f2, const char *to, int flags) {
  REAL(linkat);
  OUTCOME(by_paths(RENAME, "linkat", f1, from, f2, to), -1, real(f1, from, f2, to, flags));
}

#define BY_PATH(class, name) \
  int name(const char *path) { \
    REAL(name); \
    OUTCOME(by_path(class, #name, AT_FDCWD, path), -1, real(path)); \
  }
BY_PATH(REMOVE, unlink)
BY_PATH(REMOVE, rmdir)
int unlinkat(int folder, const char *path, int flags) {
  REAL(unlinkat);
  OUTCOME(by_path(REMOVE, "unlinkat", folder, path), -1, real(folder, path, flags));
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  OUTCOME(by_path(MAKE, "mkdir", AT_FDCWD, path), -1, real(path, mode));
}
int mkdirat(int folder, const char *path, mode_t mode) {
  REAL(mkdirat);
  OUTCOME(by_path(MAKE, "mkdirat", folder, path), -1, real(folder, path, mode));
}
char *mkdtemp(char *path) {
  REAL(mkdtemp);
  OUTCOME(by_path(MAKE, "mkdtemp", AT_FDCWD, path), NULL, real(path));
}
#define MAKING_FILE(name) \
  int name(char *path) { \
    REAL(name); \
    OUTCOME(by_path(MAKE, #name, AT_FDCWD, path), -1, real(path)); \
  }
MAKING_FILE(mkstemp)
MAKING_FILE(mkstemp64)
int symlink(const char *content, const char *path) {
  REAL(symlink);
  OUTCOME(by_path(MAKE, "symlink", AT_FDCWD, path), -1, real(content, path));
}
int fchmod(int fd, mode_t mode) {
  REAL(fchmod);
  OUTCOME(by_descriptor(MAKE, "fchmod", fd), -1, real(fd, mode));
}
int chmod(const char *path, mode_t mode) {
  REAL(chmod);
  OUTCOME(by_path(MAKE, "chmod", AT_FDCWD, path), -1, real(path, mode));
}

int flock(int fd, int operation) {
  REAL(flock);
  OUTCOME(by_descriptor(LOCK, "flock", fd), -1, real(fd, operation));
}
/* Only locking counts; the rest of fcntl is about descriptors, not files. */
#define CONTROLLING(name) \
  int name(int fd, int command, ...) { \
    REAL(name); \
    va_list rest; \
    va_start(rest, command); \
    void *argument = va_arg(rest, void *); \
    va_end(rest); \
    int locks = command == F_SETLK || command == F_SETLKW || command == F_GETLK \
        || command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK; \
    OUTCOME(locks ? by_descriptor(LOCK, #name, fd) : NOTHING, -1, real(fd, command, argument)); \
  }
CONTROLLING(fcntl)
CONTROLLING(fcntl64)

#define ASKING(name, type) \
  int name(const char *path, struct type *state) { \
    REAL(name); \
    OUTCOME(by_path(STATE, #name, AT_FDCWD, path), -1, real(path, state)); \
  }
ASKING(stat, stat)
ASKING(stat64, stat64)
ASKING(lstat, stat)
ASKING(lstat64, stat64)
#define ASKING_DESCRIPTOR(name, type) \
  int name(int fd, struct type *state) { \
    REAL(name); \
    OUTCOME(by_descriptor(STATE, #name, fd), -1, real(fd, state)); \
  }
ASKING_DESCRIPTOR(fstat, stat)
ASKING_DESCRIPTOR(fstat64, stat64)
#define ASKING_AT(name, type) \
  int name(int folder, const char *path, struct type *state, int flags) { \
    REAL(name); \
    OUTCOME(by_path(STATE, #name, folder, path), -1, real(folder, path, state, flags)); \
  }
ASKING_AT(fstatat, stat)
ASKING_AT(fstatat64, stat64)
int access(const char *path, int mode) {
  REAL(access);
  OUTCOME(by_path(STATE, "access", AT_FDCWD, path), -1, real(path, mode));
}
char *realpath(const char *path, char *room) {
  REAL(realpath);
  OUTCOME(by_path(STATE, "realpath", AT_FDCWD, path), NULL, real(path, room));
}

DIR *opendir(const char *path) {
  REAL(opendir);
  OUTCOME(by_path(LIST, "opendir", AT_FDCWD, path), NULL, real(path));
}
DIR *fdopendir(int fd) {
  REAL(fdopendir);
  OUTCOME(by_descriptor(LIST, "fdopendir", fd), NULL, real(fd));
}
#define LISTING(name, type) \
  struct type *name(DIR *folder) { \
    REAL(name); \
    OUTCOME(by_descriptor(LIST, #name, dirfd(folder)), NULL, real(folder)); \
  }
LISTING(readdir, dirent)
LISTING(readdir64, dirent64)
FTS *fts_open(char *const *paths, int options, int (*compare)(const FTSENT **, const FTSENT **)) {
  REAL(fts_open);
  OUTCOME(by_path(LIST, "fts_open", AT_FDCWD, paths[0]), NULL, real(paths, options, compare));
}

#define MAPPING(name, type) \
  void *name(void *address, size_t size, int protection, int flags, int fd, type offset) { \
    REAL(name); \
    OUTCOME( \
        flags & MAP_ANONYMOUS ? NOTHING : by_descriptor(MAP, #name, fd), MAP_FAILED, \
        real(address, size, protection, flags, fd, offset)); \
  }
MAPPING(mmap, off_t)
MAPPING(mmap64, off64_t)
