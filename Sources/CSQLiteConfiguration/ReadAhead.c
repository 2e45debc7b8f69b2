#include "CSQLiteConfiguration.h"

#include <sqlite3.h>
#include <string.h>

// How much is read at once, and how far forward a read may skip and still count as going on.
enum { window_size = 128 << 10, longest_skip = 32 << 10 };

// A database file that nobody else writes. The file of SQLite's own system follows in the same memory.
typedef struct {
  sqlite3_file base;
  // Memory for the window; null until something was read ahead.
  unsigned char *window;
  // Where the window begins in the file, and how many bytes it has.
  sqlite3_int64 start;
  sqlite3_int64 count;
  // Where the latest read ended; negative before the first.
  sqlite3_int64 end;
} read_ahead_file;

static sqlite3_vfs *default_system;

static sqlite3_file *own(sqlite3_file *file) { return (sqlite3_file *)((read_ahead_file *)file + 1); }

static int close_file(sqlite3_file *file) {
  sqlite3_free(((read_ahead_file *)file)->window);
  return own(file)->pMethods->xClose(own(file));
}

static int read_file(sqlite3_file *file, void *room, int count, sqlite3_int64 offset) {
  read_ahead_file *ahead = (read_ahead_file *)file;
  sqlite3_int64 skipped = offset - ahead->end;
  int goes_on = ahead->end >= 0 && skipped >= 0 && skipped <= longest_skip;
  ahead->end = offset + count;
  if (offset < ahead->start || offset + count > ahead->start + ahead->count) {
    if (!goes_on || count > window_size / 2) return own(file)->pMethods->xRead(own(file), room, count, offset);
    if (ahead->window == 0) ahead->window = sqlite3_malloc(window_size);
    ahead->count = 0;
    // What the file does not have, or cannot be read, matters only to whoever asks for just that.
    if (ahead->window == 0
        || own(file)->pMethods->xRead(own(file), ahead->window, window_size, offset) != SQLITE_OK)
      return own(file)->pMethods->xRead(own(file), room, count, offset);
    ahead->start = offset;
    ahead->count = window_size;
  }
  memcpy(room, ahead->window + (offset - ahead->start), count);
  return SQLITE_OK;
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  read_ahead_file *ahead = (read_ahead_file *)file;
  if (offset < ahead->start + ahead->count && offset + count > ahead->start) ahead->count = 0;
  return own(file)->pMethods->xWrite(own(file), bytes, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  ((read_ahead_file *)file)->count = 0;
  return own(file)->pMethods->xTruncate(own(file), size);
}

static int synchronize(sqlite3_file *file, int flags) {
  return own(file)->pMethods->xSync(own(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return own(file)->pMethods->xFileSize(own(file), size);
}

static int lock(sqlite3_file *file, int level) { return own(file)->pMethods->xLock(own(file), level); }

static int unlock(sqlite3_file *file, int level) {
  return own(file)->pMethods->xUnlock(own(file), level);
}

static int check_reserved_lock(sqlite3_file *file, int *result) {
  return own(file)->pMethods->xCheckReservedLock(own(file), result);
}

static int control(sqlite3_file *file, int operation, void *argument) {
  return own(file)->pMethods->xFileControl(own(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return own(file)->pMethods->xSectorSize(own(file)); }

static int characteristics(sqlite3_file *file) {
  return own(file)->pMethods->xDeviceCharacteristics(own(file));
}

static int map_shared(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  return own(file)->pMethods->xShmMap(own(file), region, size, extends, memory);
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  return own(file)->pMethods->xShmLock(own(file), offset, count, flags);
}

static void order_shared(sqlite3_file *file) { own(file)->pMethods->xShmBarrier(own(file)); }

static int unmap_shared(sqlite3_file *file, int deletes) {
  return own(file)->pMethods->xShmUnmap(own(file), deletes);
}

// Version 2 without mapping, and version 1, for systems that have no shared memory.
#define METHODS(version)                                                                            \
  {version,     close_file, read_file, write_file,   truncate_file,       synchronize,  file_size,  \
   lock,        unlock,     check_reserved_lock,     control,             sector_size,              \
   characteristics,         map_shared, lock_shared, order_shared,        unmap_shared}
static const sqlite3_io_methods methods = METHODS(2), unshared_methods = METHODS(1);

static int open_file(
    sqlite3_vfs *system, const char *name, sqlite3_file *file, int flags, int *flags_out) {
  // Other databases may be attached, and temporary files are SQLite's own.
  if (!(flags & SQLITE_OPEN_MAIN_DB)
      || !sqlite3_uri_boolean(name, flags & SQLITE_OPEN_READONLY ? "immutable" : "alone", 0))
    return default_system->xOpen(default_system, name, file, flags, flags_out);
  memset(file, 0, system->szOsFile);
  int result = default_system->xOpen(default_system, name, own(file), flags, flags_out);
  if (result == SQLITE_OK) {
    const sqlite3_io_methods *owns = own(file)->pMethods;
    file->pMethods = owns->iVersion >= 2 && owns->xShmMap != 0 ? &methods : &unshared_methods;
    ((read_ahead_file *)file)->end = -1;
  } else if (own(file)->pMethods != 0) {
    // SQLite closes a file that has methods, even one that could not be opened.
    own(file)->pMethods->xClose(own(file));
  }
  return result;
}

int coffer_sqlite_register_read_ahead(const char *name) {
  static sqlite3_vfs system;
  default_system = sqlite3_vfs_find(0);
  if (default_system == 0) return SQLITE_ERROR;
  system = *default_system;
  system.zName = name;
  system.pNext = 0;
  system.szOsFile = (int)sizeof(read_ahead_file) + default_system->szOsFile;
  system.xOpen = open_file;
  return sqlite3_vfs_register(&system, 0);
}
