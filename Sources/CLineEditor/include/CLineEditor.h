#ifndef COFFER_CLINEEDITOR_H
#define COFFER_CLINEEDITOR_H

// The calls of libedit with which a prompt edits lines, loaded for the first prompt: few runs of the program
// need it, and not every system has it. The C language is needed for the library's variables. They and its
// functions are part of its binary interface, which is that of GNU Readline (`libedit.so.2`), so no header
// of it is needed.

#include <stddef.h>

/// Waits until there is input: 0 if there is none and no more is wanted, such as after an interruption.
typedef int (*coffer_edit_wait)(void);

/// Loads libedit and prepares it, once, from the thread that reads lines.
///
/// - Parameters:
///   - words: what the tabulator completes, whatever the case; copied.
///   - count: how many.
///   - wait: is called before each key is read.
/// - Returns: NULL; why it cannot be used, as a text that stays.
const char *coffer_edit_load(const char *const *words, size_t count, coffer_edit_wait wait);

/// Shows a prompt and reads a line, which the caller frees; NULL at the end of input.
char *coffer_edit_line(const char *prompt);

/// Adds a line to those that the arrow keys bring back.
void coffer_edit_remember(const char *line);

#endif
