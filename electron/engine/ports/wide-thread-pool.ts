// Imported first by every program that runs the engine. Node reads files in four threads unless configured before the
// first is needed, and four reads of a share that does not answer would keep the files of all other disks waiting.
process.env.UV_THREADPOOL_SIZE ??= '16';
