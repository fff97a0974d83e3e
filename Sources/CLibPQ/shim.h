#ifndef RIVULET_CLIBPQ_SHIM_H
#define RIVULET_CLIBPQ_SHIM_H

#include <libpq-fe.h>

// The field codes of PQresultErrorField are character literals, which Swift does not import.
static inline int rivulet_diag_severity(void) { return PG_DIAG_SEVERITY_NONLOCALIZED; }
static inline int rivulet_diag_sqlstate(void) { return PG_DIAG_SQLSTATE; }
static inline int rivulet_diag_message(void) { return PG_DIAG_MESSAGE_PRIMARY; }
static inline int rivulet_diag_detail(void) { return PG_DIAG_MESSAGE_DETAIL; }
static inline int rivulet_diag_hint(void) { return PG_DIAG_MESSAGE_HINT; }
static inline int rivulet_diag_position(void) { return PG_DIAG_STATEMENT_POSITION; }
static inline int rivulet_diag_internal_position(void) { return PG_DIAG_INTERNAL_POSITION; }
static inline int rivulet_diag_internal_query(void) { return PG_DIAG_INTERNAL_QUERY; }
static inline int rivulet_diag_context(void) { return PG_DIAG_CONTEXT; }
static inline int rivulet_diag_schema(void) { return PG_DIAG_SCHEMA_NAME; }
static inline int rivulet_diag_table(void) { return PG_DIAG_TABLE_NAME; }
static inline int rivulet_diag_column(void) { return PG_DIAG_COLUMN_NAME; }
static inline int rivulet_diag_constraint(void) { return PG_DIAG_CONSTRAINT_NAME; }

#endif
