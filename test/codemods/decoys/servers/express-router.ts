import { Router, type Request, type Response } from 'express';

const router = Router();

router.route('/v1/contacts').get(list).post(create);
router.put('/v1/contacts/:id', (req, res) => res.json({ id: req.params.id, key: req.header('X-API-Key') !== undefined }));

function list(_req: Request, res: Response): void {
  res.json({ data: [] });
}

function create(req: Request, res: Response): void {
  res.status(201).json({ data: req.body });
}

export default router;
