#ifndef COFFER_CSQLITE_CONFIGURATION_H
#define COFFER_CSQLITE_CONFIGURATION_H

// The header of SQLite stays out: the same types from two modules would be two types to some
// compilers.
struct sqlite3;

/// Switches an option of a connection, which `sqlite3_db_config` does for C alone: it takes a
/// variable list of arguments.
///
/// - Parameters:
///   - database: the connection.
///   - option: one of the `SQLITE_DBCONFIG_` numbers whose arguments are an int and a pointer to one.
///   - isOn: 1 for on, 0 for off.
///   - state: what the option is afterwards.
/// - Returns: `SQLITE_OK`; `SQLITE_ERROR` for an option that this version of SQLite does not know.
int coffer_sqlite_switch(struct sqlite3 *database, int option, int isOn, int *state);

/// Makes a system under which SQLite reads a database that nobody else changes in pieces of 128 KiB, as long
/// as what it asks for goes on forward, and not page by page.
///
/// For connections that read with `immutable=1`, or write with the parameter `alone=1`: what another writes
/// in a piece that was read is not noticed. Everything else is as the default system does it
/// (<https://sqlite.org/vfs.html>). To be called once.
///
/// - Parameter name: the name of the system, which stays; for the parameter `vfs` of an SQLite URI.
/// - Returns: `SQLITE_OK`, or why there is no such system.
int coffer_sqlite_register_read_ahead(const char *name);

#endif
