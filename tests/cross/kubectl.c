// A kubectl that answers with the files of the folder FAKE_CLUSTER: api.v1.pods to `get --raw=/api/v1/pods?…`. Writes its
// words to FAKE_CLUSTER/argv, one a line.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char** words) {
  const char* folder = getenv("FAKE_CLUSTER");
  char path[1024];
  snprintf(path, sizeof path, "%s/argv", folder);
  FILE* record = fopen(path, "ab");
  const char* asked = NULL;
  for (int i = 1; i < count; ++i) {
    if (record != NULL) fprintf(record, "%s\n", words[i]);
    if (strncmp(words[i], "--raw=/", 7) == 0) asked = words[i] + 7;
  }
  if (record != NULL) fclose(record);
  if (asked == NULL) return 0;
  size_t at = (size_t)snprintf(path, sizeof path, "%s/", folder);
  for (; *asked != '\0' && *asked != '?' && at < sizeof path - 1; ++asked) path[at++] = *asked == '/' ? '.' : *asked;
  path[at] = '\0';
  FILE* answer = fopen(path, "rb");
  if (answer == NULL) {
    fputs("Error from server (NotFound): the server could not find the requested resource\n", stderr);
    return 1;
  }
  char piece[65536];
  for (size_t size; (size = fread(piece, 1, sizeof piece, answer)) > 0;) fwrite(piece, 1, size, stdout);
  fclose(answer);
  return 0;
}
