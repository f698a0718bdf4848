// Kubernetes' own description of its objects, as the types of the package kubernetes-types: the
// TypeScript compiler refuses unknown fields, missing ones and values of a wrong kind.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const here = path.dirname(fileURLToPath(import.meta.url));
const apis = { v1: 'core/v1', 'apps/v1': 'apps/v1', 'policy/v1': 'policy/v1',
  'networking.k8s.io/v1': 'networking/v1' };

function source(objects) {
  const lines = objects.map((object, index) => {
    const api = apis[object.apiVersion];
    if (!api) throw new Error(`${object.apiVersion} ${object.kind} is not among what is tested`);
    const type = `import('kubernetes-types/${api}').${object.kind}`;
    return `export const object${index}: ${type} & { apiVersion: unknown; kind: unknown } = ` +
      `${JSON.stringify(object)};`;
  });
  return lines.join('\n');
}

/**
 * @param {object[]} objects  of Kubernetes
 * @returns {string[]} what is wrong with them
 */
export function mistakes(objects) {
  const file = path.join(here, 'objects.ts');
  const options = { strict: true, noEmit: true, types: [], skipLibCheck: true,
    target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  const text = source(objects);
  host.getSourceFile = (name, ...rest) => name === file
    ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022)
    : getSourceFile.call(host, name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ start = 0, file: at, messageText }) => {
    const { line } = at ? at.getLineAndCharacterOfPosition(start) : { line: 0 };
    const { kind, metadata } = objects[line];
    return `${kind} ${metadata?.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
