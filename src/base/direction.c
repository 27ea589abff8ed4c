#include "base/direction.h"

const char *const direction_name[DIRS + 1] = {"read", "write", "trim", "mixed"};
