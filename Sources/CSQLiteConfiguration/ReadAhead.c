#include "CSQLiteConfiguration.h"

#include <sqlite3.h>
#include <string.h>

// How much is read at once, and how far forward a read may skip and still count as going on.
enum { window_size = 128 << 10, longest_skip = 32 << 10 };

// A database file. The file of SQLite's own system follows in the same memory.
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
  return SQLITE_READONLY;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) { return SQLITE_READONLY; }

static int synchronize(sqlite3_file *file, int flags) { return SQLITE_OK; }

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

// Version 1: no shared memory, which a file that nobody changes does not need, and no mapping.
static const sqlite3_io_methods methods = {
    1,       close_file, read_file,           write_file, truncate_file, synchronize,     file_size,
    lock,    unlock,     check_reserved_lock, control,    sector_size,   characteristics,
};

static int open_file(
    sqlite3_vfs *system, const char *name, sqlite3_file *file, int flags, int *flags_out) {
  // Other databases may be attached, and temporary files are SQLite's own.
  if (!(flags & SQLITE_OPEN_MAIN_DB) || !(flags & SQLITE_OPEN_READONLY)
      || !sqlite3_uri_boolean(name, "immutable", 0))
    return default_system->xOpen(default_system, name, file, flags, flags_out);
  memset(file, 0, system->szOsFile);
  int result = default_system->xOpen(default_system, name, own(file), flags, flags_out);
  if (result == SQLITE_OK) {
    file->pMethods = &methods;
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
