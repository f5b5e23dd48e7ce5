import { createApp } from './app.js';

createApp().listen(process.env.PORT ?? 3000);
