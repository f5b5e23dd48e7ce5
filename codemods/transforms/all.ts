/** `jscodeshift -t …/all.js --v1Base=https://api.example.com src`: moves the calls of all clients. */
import { transformOf } from './shared/transform.ts';

export default transformOf();
