#include "CLineEditor.h"

#include <dlfcn.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

// As <editline/readline.h> declares them.
typedef char *generator(const char *, int);
typedef char **completion(const char *, int, int);

static char *(*edit_readline)(const char *);
static int (*edit_add_history)(const char *);
static char **(*edit_matches)(const char *, generator *);
static int *attempted_over;

static const char *const names[] = {
#ifdef __APPLE__
  "/usr/lib/libedit.3.dylib",
#else
  "libedit.so.2", "libedit.so.0",
#endif
};

static char **known;
static size_t known_count;
static coffer_edit_wait wait_for_input;

/// The next word that begins with a text, as a copy; NULL behind the last.
static char *next_word(const char *text, int state) {
  static size_t index;
  if (state == 0) index = 0;
  size_t length = strlen(text);
  while (index < known_count) {
    const char *word = known[index++];
    if (strncasecmp(word, text, length) == 0) return strdup(word);
  }
  return NULL;
}

static char **complete(const char *text, int start, int end) {
  (void)start;
  (void)end;
  // No names of files where no word fits.
  *attempted_over = 1;
  return edit_matches(text, next_word);
}

static int next_byte(void) {
  unsigned char byte;
  return wait_for_input() && read(STDIN_FILENO, &byte, 1) == 1 ? byte : EOF;
}

/// The next character: libedit takes what it is given for a whole one.
static int next_character(FILE *stream) {
  (void)stream;
  int first = next_byte();
  if (first < 0xC2 || first > 0xF4) return first;
  int rest = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  int character = first & (0x3F >> rest);
  while (rest-- > 0) {
    int byte = next_byte();
    if (byte == EOF) return EOF;
    character = character << 6 | (byte & 0x3F);
  }
  return character;
}

static const char *load(void) {
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++) {
    library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  }
  if (!library) return "it is not installed";
  edit_readline = (char *(*)(const char *))dlsym(library, "readline");
  edit_add_history = (int (*)(const char *))dlsym(library, "add_history");
  edit_matches = (char **(*)(const char *, generator *))dlsym(library, "rl_completion_matches");
  attempted_over = (int *)dlsym(library, "rl_attempted_completion_over");
  completion **attempt = (completion **)dlsym(library, "rl_attempted_completion_function");
  int (**getc_function)(FILE *) = (int (**)(FILE *))dlsym(library, "rl_getc_function");
  const char **breaks = (const char **)dlsym(library, "rl_basic_word_break_characters");
  const char **name = (const char **)dlsym(library, "rl_readline_name");
  int *catches = (int *)dlsym(library, "rl_catch_signals");
  if (!edit_readline || !edit_add_history || !edit_matches || !attempted_over || !attempt
      || !getc_function || !breaks || !name || !catches) {
    return "it lacks a function";
  }
  // Keys are characters of the locale; one without Unicode would lose all others.
  if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
    setlocale(LC_CTYPE, "C.UTF-8");
  }
  *name = "coffer";
  *attempt = complete;
  *getc_function = next_character;
  *breaks = " \t\n,;()=<>+-*/|'";
  *catches = 0;
  return NULL;
}

const char *coffer_edit_load(const char *const *words, size_t count, coffer_edit_wait wait) {
  const char *failure = load();
  if (failure) return failure;
  wait_for_input = wait;
  known = calloc(count ? count : 1, sizeof *known);
  if (!known) return "there is no memory";
  while (known_count < count && (known[known_count] = strdup(words[known_count]))) known_count++;
  return NULL;
}

char *coffer_edit_line(const char *prompt) { return edit_readline(prompt); }

void coffer_edit_remember(const char *line) { edit_add_history(line); }
