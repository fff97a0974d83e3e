// libarchive: zip, tar, 7z and their compressions as streams.
#pragma once
#include <archive.h>
#include <archive_entry.h>
