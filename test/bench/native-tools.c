/*
 * What a benchmark needs outside of Node.
 *
 *   native-tools sink            prints a port; takes any number of POSTs and drops their bodies
 *   native-tools drain           the same without copying the bodies out of the kernel (Linux), as if the receiver were
 *                                another computer
 *   native-tools measure CMD…    runs a command, then prints its CPU seconds and peak memory as JSON on stderr
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Linux discards the bytes of a TCP stream that are received with MSG_TRUNC. */
#ifdef __linux__
#define DISCARD MSG_TRUNC
#else
#define DISCARD 0
#endif

static int receive_flags = 0;

enum { HEAD_BYTES = 64 * 1024, BODY_BYTES = 1024 * 1024 };

static int send_text(int fd, const char *text) {
  size_t length = strlen(text);
  return write(fd, text, length) == (ssize_t)length ? 0 : -1;
}

/* Serves one connection until the other side closes it. */
static void *serve(void *argument) {
  int fd = (int)(long)argument;
  char *head = malloc(HEAD_BYTES + 1);
  char *body = malloc(BODY_BYTES);
  size_t held = 0;
  for (;;) {
    char *end = NULL;
    while (1) {
      head[held] = 0;
      end = strstr(head, "\r\n\r\n");
      if (end || held == HEAD_BYTES) break;
      ssize_t count = read(fd, head + held, HEAD_BYTES - held);
      if (count <= 0) goto gone;
      held += (size_t)count;
    }
    if (!end) goto gone;
    char *length_at = strcasestr(head, "\r\ncontent-length:");
    if (!length_at || length_at > end) goto gone;
    long long missing = atoll(length_at + 17);
    char *expect_at = strcasestr(head, "\r\nexpect:");
    size_t head_length = (size_t)(end + 4 - head);
    missing -= (long long)(held - head_length);
    held = 0;
    if (expect_at && expect_at < end && send_text(fd, "HTTP/1.1 100 Continue\r\n\r\n")) goto gone;
    while (missing > 0) {
      ssize_t count = recv(fd, body, missing < BODY_BYTES ? (size_t)missing : BODY_BYTES, receive_flags);
      if (count <= 0) goto gone;
      missing -= count;
    }
    if (send_text(fd, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) goto gone;
  }
gone:
  free(head);
  free(body);
  close(fd);
  return NULL;
}

static int run_sink(void) {
  signal(SIGPIPE, SIG_IGN);
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 64)) return 1;
  getsockname(listener, (struct sockaddr *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    int fd = accept(listener, NULL, NULL);
    if (fd < 0) continue;
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, (void *)(long)fd)) close(fd);
    else pthread_detach(thread);
  }
}

static int run_measured(char **command) {
  pid_t child = fork();
  if (child == 0) {
    execvp(command[0], command);
    _exit(127);
  }
  int status = 0;
  struct rusage used;
  if (child < 0 || wait4(child, &status, 0, &used) < 0) return 1;
  double user = (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6;
  double system = (double)used.ru_stime.tv_sec + (double)used.ru_stime.tv_usec / 1e6;
  fprintf(stderr, "{\"cpuSeconds\":%.6f,\"peakKib\":%ld}\n", user + system, used.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int main(int count, char **arguments) {
  if (count == 2 && !strcmp(arguments[1], "sink")) return run_sink();
  if (count == 2 && !strcmp(arguments[1], "drain")) {
    receive_flags = DISCARD;
    return run_sink();
  }
  if (count > 2 && !strcmp(arguments[1], "measure")) return run_measured(arguments + 2);
  return 2;
}
