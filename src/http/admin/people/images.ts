import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MAX_IMAGE_BYTES, shownImage } from '../../../domain/people/image.ts'
import { Problem } from '../../../domain/problem.ts'
import { sentence } from '../../../domain/sentence.ts'
import { Type } from '../../../format/type.ts'
import type { Context } from '../../../services/context.ts'
import { addImage } from '../../../services/people/images.ts'
import { problems } from '../../problems.ts'
import { principalOf } from '../principal.ts'

const ImageView = Type.Object({
  id: Type.String(),
  url: Type.String({ description: 'Save it as `avatarUrl` or `branding.logoUrl`.' }),
  type: Type.Enum(['image/png', 'image/jpeg', 'image/webp']),
  width: Type.Integer({ description: 'In pixels.' }),
  height: Type.Integer({ description: 'In pixels.' }),
})

const ImageQuery = Type.Object({
  teamId: Type.Optional(Type.String({ description: 'The team whose image it is. Left out: it is yours.' })),
})

/** Larger bodies than images may be, so that a large image gets a sentence about images. */
const MAX_BODY = 4 * MAX_IMAGE_BYTES

/** Pictures for the pages of users and teams. */
export const imageUploadRoutes: FastifyPluginAsyncTypebox<{ context: Context }> = async (
  app,
  { context },
) => {
  app.addContentTypeParser(/^image\//, { parseAs: 'buffer', bodyLimit: MAX_BODY }, (_request, body, done) =>
    done(null, body),
  )

  app.post(
    '/images',
    {
      bodyLimit: MAX_BODY,
      schema: {
        operationId: 'uploadImage',
        summary: 'Upload an image',
        description:
          'The body is the image itself: PNG, JPEG or WebP, at most 512 KB and 4096 pixels a side. An image that no page shows within an hour may be deleted, and so is one that a page no longer shows.',
        tags: ['Images'],
        consumes: ['image/png', 'image/jpeg', 'image/webp'],
        querystring: ImageQuery,
        // Bytes have no schema.
        body: Type.Any(),
        response: { 201: ImageView, ...problems(400, 401, 403, 404, 413, 415, 429) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { teamId: ownerId = principal.userId } = request.query
      if (!Buffer.isBuffer(request.body)) {
        throw new Problem(
          'invalid',
          sentence`Send the image itself as the body, with its type as Content-Type.`,
        )
      }
      const { path, ...image } = await addImage(context, principal, ownerId, request.body)
      return reply.code(201).send({ ...image, url: shownImage(context.publicUrl, path) })
    },
  )
}
