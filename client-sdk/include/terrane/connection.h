/* Carries an explorer's bytes over a WebSocket: what terrane.h leaves to the host, done by one
 * thread of this library for each connection.
 *
 * C99, under the rules of terrane.h; a library of its own, terrane_connection, so that games with a
 * transport of their own need not take it. Nothing in here calls back.
 *
 *   terrane_explorer_create(...);                     what is wanted of the land
 *   terrane_connection_open(..., explorer, ...);      from now on it is brought
 *   each frame:
 *     terrane_explorer_move(explorer, &pose, terrane_connection_now(), ...);
 *     terrane_explorer_poll(...);
 *     terrane_connection_flush(connection);
 *   terrane_connection_close(connection);             before its explorer
 *   terrane_explorer_destroy(explorer); */
#ifndef TERRANE_CONNECTION_H
#define TERRANE_CONNECTION_H

#include "terrane/terrane.h"

#if defined(TERRANE_CONNECTION_STATIC)
#define TERRANE_CONNECTION_API
#elif defined(_WIN32)
#if defined(TERRANE_CONNECTION_BUILDING)
#define TERRANE_CONNECTION_API __declspec(dllexport)
#else
#define TERRANE_CONNECTION_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define TERRANE_CONNECTION_API __attribute__((visibility("default")))
#else
#define TERRANE_CONNECTION_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrane_connection terrane_connection;

typedef struct terrane_connection_options {
  uint32_t struct_size;
  uint32_t patience_ms; /* for a server to be connected with, and for a world; 0: 10,000 */
  /* "ws://host:port", or with TLS "wss://host:port" (http and https mean the same); the port is 80
   * or 443 where none is said, and a path goes before what the server offers, for one behind a
   * proxy. Several are one after the other with commas between: where one is not there, or leaves,
   * the next is tried. */
  const char* urls;
  /* Who this is: `authorization: Bearer TOKEN`; "": it is set later, and nothing connected before;
   * NULL: nobody. */
  const char* token;
  const char* ca_file; /* PEM: whom certificates are trusted from; NULL: whom the system trusts */
  /* 1: send a token in the clear, beyond this machine, where something else encrypts */
  uint32_t insecure_token;
  uint32_t reserved; /* 0 */
} terrane_connection_options;

/* Connects a streamed explorer with its server as soon as it has been moved, and again when the
 * connection is lost, with growing pauses. An explorer has one connection. Options are copied.
 * Returns at once: what becomes of it is told by the explorer's events, TERRANE_STATE.
 * Errors: INVALID_ARGUMENT for another ABI, a URL that is none, wss:// where the library was built
 * without TLS, a ca_file that holds no certificates, or a token that would go in the clear;
 * FAILED_PRECONDITION for a local explorer, or one that has a connection; RESOURCE_EXHAUSTED: no
 * memory, thread or descriptor.
 * fork(): a child has the parent's connections in name only, and must not call them. */
TERRANE_CONNECTION_API terrane_code terrane_connection_open(
    uint32_t abi_version, const terrane_connection_options* options, terrane_explorer* explorer,
    terrane_connection** connection, terrane_error* error);

/* Ends the stream and the thread, neither of which touches the explorer afterwards; before the
 * explorer is destroyed. Takes NULL, too. Takes a tenth of a second at most; where the system is
 * just looking a name up, as long as it does. */
TERRANE_CONNECTION_API void terrane_connection_close(terrane_connection* connection);

/* The explorer may have something to say: once a frame, after move and poll. Returns at once. Any
 * thread. */
TERRANE_CONNECTION_API void terrane_connection_flush(terrane_connection* connection);

/* The time on the clock that this library tells the explorer: what terrane_explorer_move is to be
 * given as now_ns. Any thread. */
TERRANE_CONNECTION_API int64_t terrane_connection_now(void);

/* Waits until something has come since the last call, or the connection is another than before: for
 * programs without frames. One thread. @return 1; 0: the time is over */
TERRANE_CONNECTION_API int32_t terrane_connection_wait(terrane_connection* connection,
                                                       uint32_t timeout_ms);

/* Another token, from the next stream on, for a connection that was opened with one: servers end
 * streams whose token has run out, and are come back to. Any thread.
 * Errors: INVALID_ARGUMENT for what can be none, FAILED_PRECONDITION for a connection of nobody. */
TERRANE_CONNECTION_API terrane_code terrane_connection_set_token(terrane_connection* connection,
                                                                 const char* token,
                                                                 terrane_error* error);

/* Asks a server what a world of it is: names, colours, rooms, and what to make its land from.
 * Blocks for `patience_ms` at most, and as long as the system takes to look a name up.
 * Errors: those of terrane_connection_open and terrane_world_open; UNAVAILABLE,
 * DEADLINE_EXCEEDED, and what the server answers: NOT_FOUND, UNAUTHENTICATED, ... */
TERRANE_CONNECTION_API terrane_code
terrane_download_world(uint32_t abi_version, const terrane_connection_options* options,
                       const char* name, terrane_world** world, terrane_error* error);

#ifdef __cplusplus
}
#endif

#endif /* TERRANE_CONNECTION_H */
