// Plugins for esbuild that make the 3-D view small. The scene draws with shaders of its own alone,
// so those that three brings along are left out, and so is what belongs to them or to headsets.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const noShader = `export default ''; export const vertex = '', fragment = '';`;
const nothing = (name) => `export class ${name} { dispose() {} }`;

/** What files of three/src are replaced by. The renderer calls what is left of the classes. */
const replaced = [
  [/ShaderChunk\/(?!colorspace_pars_fragment)\w+\.glsl\.js$/, noShader],
  [/ShaderLib\/\w+\.glsl\.js$/, noShader],
  [/shaders\/DFGLUTData\.js$/, 'export function getDFGLUT() { return null; }'],
  [/extras\/PMREMGenerator\.js$/, nothing('PMREMGenerator')],
  [/webgl\/WebGLOutput\.js$/, nothing('WebGLOutput')],
  [/webgl\/WebGLShadowMap\.js$/, 'export class WebGLShadowMap { render() {} }'],
  [
    /webxr\/WebXRManager\.js$/,
    `export class WebXRManager {
      enabled = false; isPresenting = false;
      addEventListener() {} removeEventListener() {} setAnimationLoop() {} dispose() {}
      getEnvironmentBlendMode() {}
    }`,
  ],
];

/**
 * Lets `three` be its single files, without those above. Throws where three has no such files any
 * more, so that a new version is looked at.
 */
export function slimThree(root) {
  const three = path.join(root, 'node_modules/three/src');
  const unseen = new Set(replaced.map(([pattern]) => pattern));
  return {
    name: 'slim-three',
    setup(build) {
      build.onResolve({ filter: /^three$/ }, () => ({
        path: path.join(three, 'Three.js'),
        sideEffects: false,
      }));
      build.onLoad({ filter: /[\\/]three[\\/]src[\\/].*\.js$/ }, ({ path: file }) => {
        const found = replaced.find(([pattern]) => pattern.test(file.replaceAll('\\', '/')));
        if (!found) return undefined;
        unseen.delete(found[0]);
        return { contents: found[1], loader: 'js' };
      });
      build.onEnd(() => {
        if (unseen.size === 0) return undefined;
        return { errors: [{ text: `three has changed: nothing matches ${[...unseen]}` }] };
      });
    },
  };
}

/** GLSL without comments, and without the spaces that mean nothing; lines with # stay lines. */
export function squeezed(glsl) {
  return glsl
    .replaceAll(/\/\/[^\n]*/g, '')
    .replaceAll(/\s*\n\s*/g, '\n')
    .replaceAll(/^(?!#).*$/gm, (line) => line.replaceAll(/ *([*/=<>?:,;(){}&|]) */g, '$1'))
    .replaceAll(/(?<!^#.*)([;{},])\n(?!#)/gm, '$1');
}

/** Squeezes the shaders: template strings marked with `glsl`, in files named so. */
export function squeezeShaders() {
  return {
    name: 'squeeze-shaders',
    setup(build) {
      build.onLoad({ filter: /[\\/]scene[\\/]shaders[\\/].*\.ts$/ }, async ({ path: file }) => {
        const text = await readFile(file, 'utf8');
        const contents = text.replaceAll(/(\/\* glsl \*\/ )`([^`]*)`/g, (_, mark, glsl) => {
          return `${mark}\`${squeezed(glsl)}\``;
        });
        return { contents, loader: 'ts' };
      });
    },
  };
}
