/*
 * Times a collective of MPI on random doubles. Arguments: collective, bytes of the vector, number of
 * operations that warm up, number that count. Rank 0 prints the microseconds of each that counts, from
 * the first rank's start to the last rank's end by the machine's monotonic clock, which all ranks share
 * when they run on one machine. Exit code 2: wrong arguments.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

/*
 * One operation on a vector of n doubles, whose parts are n / size each, as counts says. Where MPI has a
 * function for equal parts it is that, but MPI_Reduce_scatter_block, which takes Open MPI longer.
 */
static int operate(const char *name, double *in, double *out, int n, int size, int rank,
                   const int *counts) {
  MPI_Comm all = MPI_COMM_WORLD;
  int part = n / size;
  if (!strcmp(name, "broadcast")) return MPI_Bcast(in, n, MPI_DOUBLE, 0, all);
  if (!strcmp(name, "reduce")) return MPI_Reduce(in, out, n, MPI_DOUBLE, MPI_SUM, 0, all);
  if (!strcmp(name, "allreduce")) return MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, all);
  if (!strcmp(name, "scan")) return MPI_Scan(in, out, n, MPI_DOUBLE, MPI_SUM, all);
  if (!strcmp(name, "exscan")) return MPI_Exscan(in, out, n, MPI_DOUBLE, MPI_SUM, all);
  if (!strcmp(name, "reduce_scatter"))
    return MPI_Reduce_scatter(in, out, counts, MPI_DOUBLE, MPI_SUM, all);
  if (!strcmp(name, "allgather"))
    return MPI_Allgather(in + rank * part, part, MPI_DOUBLE, out, part, MPI_DOUBLE, all);
  if (!strcmp(name, "alltoall"))
    return MPI_Alltoall(in, part, MPI_DOUBLE, out, part, MPI_DOUBLE, all);
  if (!strcmp(name, "barrier")) return MPI_Barrier(all);
  if (!strcmp(name, "scatter"))
    return MPI_Scatter(in, part, MPI_DOUBLE, out, part, MPI_DOUBLE, 0, all);
  if (!strcmp(name, "gather"))
    return MPI_Gather(in, part, MPI_DOUBLE, out, part, MPI_DOUBLE, 0, all);
  return MPI_ERR_ARG;
}

int main(int argc, char **argv) {
  int size, rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  long bytes = argc == 5 ? atol(argv[2]) : 0;
  int warm_up = argc == 5 ? atoi(argv[3]) : 0, counted = argc == 5 ? atoi(argv[4]) : 0;
  int n = (int)(bytes / (long)sizeof(double));
  double *source = malloc(n * sizeof(double) + 1), *in = malloc(n * sizeof(double) + 1);
  double *out = malloc(n * sizeof(double) + 1);
  int *counts = malloc(size * sizeof(int));
  if (n < 1 || counted < 1 || !source || !in || !out || !counts) {
    if (rank == 0) fprintf(stderr, "usage: collectives COLLECTIVE BYTES WARM_UP COUNTED\n");
    MPI_Finalize();
    return 2;
  }
  srand(rank + 1);
  for (int i = 0; i < n; i++) source[i] = rand() / (double)RAND_MAX;
  for (int i = 0; i < size; i++) counts[i] = n / size;
  for (int i = 0; i < warm_up + counted; i++) {
    memcpy(in, source, n * sizeof(double));
    usleep(1000); /* the cards' token buckets fill up */
    MPI_Barrier(MPI_COMM_WORLD);
    double start = nanos();
    int code = operate(argv[1], in, out, n, size, rank, counts);
    double end = nanos(), first, last;
    if (code != MPI_SUCCESS) {
      if (rank == 0) fprintf(stderr, "%s: MPI returns error %d\n", argv[1], code);
      MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Reduce(&start, &first, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0 && i >= warm_up) printf("%.3f\n", (last - first) / 1e3);
  }
  MPI_Finalize();
  return 0;
}
