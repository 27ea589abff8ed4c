/* One request of HTTP/1.x to one answer: pure text, no sockets. */
#ifndef FATHOM_LIVE_HTTP_H
#define FATHOM_LIVE_HTTP_H

#include <stddef.h>

enum http_state { HTTP_MORE, HTTP_PAGE, HTTP_ERROR };

/* Look at what has come so far, n of at most room bytes. HTTP_MORE: the request is not complete.
 * HTTP_PAGE: it asks for the page. HTTP_ERROR: *answer is a whole answer, constant text. */
enum http_state http_request(const char *in, size_t n, size_t room, const char **answer);
/* The head of the answer with the page; at most size bytes, returns their number. */
size_t http_head(char *buf, size_t size, const char *type, size_t length);

#endif
