"""The same as native-tools.c, for machines without a C compiler. The sink is slower; all peers use the same one."""
import json
import os
import socket
import sys
import threading


def serve(connection, flags):
    buffer = bytearray(1024 * 1024)
    held = b""
    with connection:
        while True:
            while b"\r\n\r\n" not in held:
                more = connection.recv(65536)
                if not more:
                    return
                held += more
            head, rest = held.split(b"\r\n\r\n", 1)
            headers = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:])
            missing = int(headers[b"content-length"]) - len(rest)
            held = b""
            if b"expect" in headers:
                connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            while missing > 0:
                count = connection.recv_into(buffer, min(missing, len(buffer)), flags)
                if count == 0:
                    return
                missing -= count
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


def sink(flags):
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print(listener.getsockname()[1], flush=True)
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve, args=(connection, flags), daemon=True).start()


def measure(command):
    child = os.posix_spawnp(command[0], command, os.environ)
    _, status, used = os.wait4(child, 0)
    facts = {"cpuSeconds": used.ru_utime + used.ru_stime, "peakKib": used.ru_maxrss}
    print(json.dumps(facts), file=sys.stderr)
    return os.waitstatus_to_exitcode(status)


if sys.argv[1] == "sink":
    sink(0)
elif sys.argv[1] == "drain":
    sink(socket.MSG_TRUNC if sys.platform == "linux" else 0)
else:
    sys.exit(measure(sys.argv[2:]))
