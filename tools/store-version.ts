import { storeVersion } from '../test/database/stored-versions.ts';

// Stores a small filled database of the newest migration in test/database/versions: run it once, after adding a migration,
// with `node tools/store-version.ts`. Every later version is tested to bring it up to date.

process.stdout.write(`${await storeVersion()} is stored\n`);
