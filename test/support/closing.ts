type Close = () => unknown;

const toClose: Close[] = [];

/**
 * Closes something when the tests of the running file are over; the last opened is closed first.
 *
 * A module that several test files import cannot say `afterAll` for itself: modules are kept from file to file within a
 * worker, so its hook would belong to the first file alone.
 */
export function closeAfterFile(close: Close): void {
  toClose.push(close);
}

/** All are closed, whatever one of them says; then the first failure is thrown. */
export async function closeWhatFileOpened(): Promise<void> {
  const failures: unknown[] = [];
  for (let close = toClose.pop(); close !== undefined; close = toClose.pop()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
