// Imported first by every program that runs the engine. Node reads files in four threads unless configured before the first use,
// and four reads of a share that does not answer would block the files of all other disks.
process.env.UV_THREADPOOL_SIZE ??= '16';
