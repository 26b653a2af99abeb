// What page.html has for the guide's program.
declare function show(id: string, total: number): void;
