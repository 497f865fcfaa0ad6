// Read by every Node there is: no import and no newer syntax here, so that an old one gets a sentence, not a SyntaxError.
export const NODE_MINIMUM = [20, 19];

export function refuseOldNode() {
  const parts = process.versions.node.split('.').map(Number);
  const tooOld =
    parts[0] < NODE_MINIMUM[0] || (parts[0] === NODE_MINIMUM[0] && parts[1] < NODE_MINIMUM[1]);
  if (!tooOld) return;
  console.error(
    'Node ' +
      process.versions.node +
      ' is too old: install Node ' +
      NODE_MINIMUM.join('.') +
      ' or newer.',
  );
  process.exit(1);
}
