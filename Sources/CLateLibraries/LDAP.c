// By RFC 1823 and ldap.h of OpenLDAP.
#include "late.h"

typedef struct ldap Session;
typedef struct message Message;
typedef struct berval Value;
struct timeval;

enum { FAILED = -1 };

static char unavailable[] = "LDAP is not available";

#define FUNCTIONS(USE)                                                                                                 \
  USE(Session *, ldap_init, (const char *host, int port), (host, port), NULL)                                          \
  USE(int, ldap_set_option, (Session * session, int option, const void *value), (session, option, value), FAILED)      \
  USE(int, ldap_simple_bind, (Session * session, const char *name, const char *password), (session, name, password),   \
      FAILED)                                                                                                          \
  USE(int, ldap_unbind, (Session * session), (session), FAILED)                                                        \
  USE(int, ldap_result, (Session * session, int message, int all, struct timeval * wait, Message **result),            \
      (session, message, all, wait, result), FAILED)                                                                   \
  USE(int, ldap_search_st,                                                                                             \
      (Session * session, const char *base, int scope, const char *filter, char **attributes, int typesOnly,           \
       struct timeval *wait, Message **result),                                                                        \
      (session, base, scope, filter, attributes, typesOnly, wait, result), FAILED)                                     \
  USE(int, ldap_count_entries, (Session * session, Message * result), (session, result), FAILED)                       \
  USE(Message *, ldap_first_entry, (Session * session, Message * result), (session, result), NULL)                     \
  USE(Value **, ldap_get_values_len, (Session * session, Message * entry, const char *attribute),                      \
      (session, entry, attribute), NULL)                                                                               \
  USE(void, ldap_value_free_len, (Value **values), (values), (void)0)                                                  \
  USE(int, ldap_msgfree, (Message * message), (message), FAILED)                                                       \
  USE(char *, ldap_err2string, (int code), (code), unavailable)

LATE_LIBRARY(FUNCTIONS, "LDAP is not available: install libldap (Debian: libldap-2.5-0)", "libldap.so.2",
             "libldap-2.5.so.0")
