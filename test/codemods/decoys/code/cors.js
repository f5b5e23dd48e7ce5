import cors from 'cors';

export default cors({ origin: 'https://api.example.com', allowedHeaders: ['content-type', 'x-api-key'], methods: ['GET', 'POST'] });
