#include "CSQLiteConfiguration.h"

#include <sqlite3.h>

int coffer_sqlite_switch(struct sqlite3 *database, int option, int isOn, int *state) {
  return sqlite3_db_config(database, option, isOn, state);
}
