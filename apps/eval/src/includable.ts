/** Families whose failures a resume plays again when it is told to; of infrastructure it does so without being told. */
export const includable: readonly string[] = ['harness', 'taskset', 'scoring', 'training'];
