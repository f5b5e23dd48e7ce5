/** `jscodeshift -t …/all.js --v1Base=https://api.example.com src`: moves the calls of all clients, or with `--clients=axios,got` of these alone. */
export { transform as default } from './shared/transform.ts';
