// The project's tools are TypeScript that Node 24 runs as it is, and npm installs that Node with the project. Where npm could not
// install it (install scripts were forbidden), an older Node would only complain about an unknown file extension.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 2)) {
  console.error(
    `This is Node ${process.versions.node}, but Mediadesk's tools need Node 24, which "npm ci" brings along.\n` +
      'Its install script seems to have been skipped. Allow it and run: npm rebuild node',
  );
  process.exit(1);
}
