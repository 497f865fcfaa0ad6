/** What the names of all folders begin with in which a run of the tests keeps its data; the pid of the run follows. */
export const TEST_FOLDER_PREFIX: string;
/** Ends every process that works for a run in this folder, PostgreSQL in order, and removes the folder. */
export function removeTestFolder(folder: string): void;
/** The same for folders of runs that were killed and could not do it themselves. */
export function removeAbandonedTestFolders(): void;
