// The declarations that name-choices.m uses, from SQLite's public documentation.
#define SQLITE_OK 0
#define SQLITE_ROW 100
#define SQLITE_OPEN_READONLY 1
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
int sqlite3_open_v2(const char *path, sqlite3 **database, int flags, const char *system);
int sqlite3_prepare_v2(sqlite3 *database, const char *sql, int size, sqlite3_stmt **statement, const char **rest);
int sqlite3_step(sqlite3_stmt *statement);
const unsigned char *sqlite3_column_text(sqlite3_stmt *statement, int column);
int sqlite3_finalize(sqlite3_stmt *statement);
int sqlite3_close(sqlite3 *database);
