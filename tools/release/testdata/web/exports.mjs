// Has the TypeScript compiler check the package's types, without those of the DOM and of Node, and compares what they
// declare with what the module exports: names, and the members of classes.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import ts from "typescript";
import * as module from "@zmylab/web";

const file = createRequire(import.meta.url).resolve("@zmylab/web/package.json").replace(/package\.json$/, "zmy-sse.d.ts");
const program = ts.createProgram([file], { strict: true, target: ts.ScriptTarget.ES2022, lib: ["lib.es2022.d.ts"], types: [] });
assert.deepEqual(ts.getPreEmitDiagnostics(program).map((d) => ts.flattenDiagnosticMessageText(d.messageText, "\n")), []);
const checker = program.getTypeChecker();
const declared = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
const values = declared.filter((s) => s.flags & ts.SymbolFlags.Value);
assert.deepEqual(values.map((s) => s.name).sort(), Object.keys(module).sort());

const classes = values.filter((s) => s.flags & ts.SymbolFlags.Class);
assert.ok(classes.length >= 4, `${classes.length} classes`);
for (const symbol of classes) {
  const methods = [...symbol.members.values(), ...symbol.exports.values()].filter((m) => m.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.GetAccessor));
  for (const { name } of methods) {
    const key = name.startsWith("__@iterator") ? Symbol.iterator : name;
    const owner = symbol.exports.has(name) ? module[symbol.name] : module[symbol.name].prototype;
    assert.ok(Object.getOwnPropertyDescriptor(owner, key), `${symbol.name}.${name} is declared and does not exist`);
  }
}
