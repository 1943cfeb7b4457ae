"""The health check of the Admin's image: ends with 0 if the Admin in this container answers, on whatever port it has.

Only the standard library, and little of it: it is started every half minute, on a Raspberry Pi too.
"""

import http.client
import os
import ssl
import sys

SECONDS = 2
EVERYWHERE = {"", "0.0.0.0", "[::]"}  # noqa: S104  # compared with, not listened at


def answers(listen: str) -> bool:
    """Ask for `/api/admin/health`, plainly and then over TLS; its certificate is for others to check."""
    host, _, port = listen.rpartition(":")
    host = "127.0.0.1" if host in EVERYWHERE else host.strip("[]")
    unchecked = ssl._create_unverified_context()  # noqa: S323, SLF001
    for connection in (
        http.client.HTTPConnection(host, int(port), timeout=SECONDS),
        http.client.HTTPSConnection(host, int(port), timeout=SECONDS, context=unchecked),
    ):
        try:
            connection.request("GET", "/api/admin/health")
            if connection.getresponse().status == http.client.OK:
                return True
        except (OSError, http.client.HTTPException):
            continue
        finally:
            connection.close()
    return False


if __name__ == "__main__":
    sys.exit(not answers(os.environ["EMS_ADMIN_LISTEN"]))
