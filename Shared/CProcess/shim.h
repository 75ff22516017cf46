#pragma once
#include <sys/prctl.h>

/// prctl(2) takes a variable number of arguments, which Swift does not import.
static inline int latchkey_set_dumpable(int isDumpable) { return prctl(PR_SET_DUMPABLE, isDumpable, 0, 0, 0); }
