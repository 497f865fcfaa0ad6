/** Makes lines for the operator's screen, once the service listens: `baseUrl` has no slash at its end. */
export type StartupNote = (baseUrl: string) => readonly string[] | Promise<readonly string[]>;

/** What rooms want to say after the start: the demo seed adds its ready curls here. */
export class StartupNotes {
  private readonly notes: StartupNote[] = [];

  add(note: StartupNote): void {
    this.notes.push(note);
  }

  async lines(baseUrl: string): Promise<readonly string[]> {
    const lines: string[] = [];
    for (const note of this.notes) lines.push(...(await note(baseUrl)));
    return lines;
  }
}
