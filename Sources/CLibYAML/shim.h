// libyaml: YAML as events.
#pragma once
#include <yaml.h>
