/* A build without libmicrohttpd; declared in httpd.h. */
#include "live/httpd.h"
#include <errno.h>
#include <stdlib.h>

int httpd_open(const struct endpoint *at, struct httpd **out, struct err *err)
{
	int ret = err_set(err, ERR_SETUP, ENOTSUP,
			  "--metrics: HTTP is served by libmicrohttpd, and this program was built "
			  "without it");

	err_remedy(err, "install libmicrohttpd-dev and build again, or write a file: "
			"--metrics=./NAME.prom");
	return ret;
}

/* There is no server, so nobody gets here. */
const char *httpd_url(const struct httpd *h)
{
	return "";
}

void httpd_publish(struct httpd *h, char *text, size_t n)
{
	free(text);
}

void httpd_close(struct httpd *h)
{
}
