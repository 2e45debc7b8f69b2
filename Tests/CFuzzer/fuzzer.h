// The part of libFuzzer that is called: <https://llvm.org/docs/LibFuzzer.html>, FuzzerInterface.h.
// It is linked where scripts/fuzz builds with -sanitize=fuzzer, and nowhere else.
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*body)(const uint8_t *data, size_t size));
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
