import type { ServerPages } from '../catalogue.ts'

export default {
  home: {
    title: '日程調整を、もっと簡単に',
    what: 'リンクを共有するだけで、相手がお互いに都合のよい時間を予約できます。',
    guests: '予約したい方は、受け取ったリンクを開いてください。アカウントは不要です。',
    signIn: 'ログイン',
    demo: 'デモを見る',
    api: 'APIリファレンス',
  },
  unsubscribe: {
    title: '{name}からのメールを停止しますか？',
    what: 'ミーティング後やフォームに関する{name}からのメールは届かなくなります。今後の予定に関するメールは引き続き届きます。',
    button: '配信を停止',
    done: '配信を停止しました',
    after: '{name}からこのようなメールが届くことはありません。',
  },
  notice: {
    missing: 'ページが見つかりません',
    hint: 'リンクが古いか、入力が間違っている可能性があります。送り主に新しいリンクをお尋ねください。',
    trouble: 'エラーが発生しました',
    startAgain: 'フォームからもう一度やり直してください。',
  },
  noScriptWrite: 'JavaScriptを使わない場合は、メールでご予約ください：',
  offline: {
    title: 'オフラインです',
    hint: 'ダッシュボードは最新の内容だけを表示するため、インターネット接続が必要です。',
    again: 'もう一度試す',
  },
  standIn: {
    away: '{host}は不在です：{time}',
    book: '代わりに{name}を予約する',
  },
  endedLink: {
    used: 'このリンクはすでに使われています',
    expired: 'このリンクは期限が切れています',
    ask: '{name}に新しいリンクをお尋ねください。',
  },
  noScript: '空き時間の表示にはJavaScriptが必要です。公開APIからも予約できます。',
} satisfies ServerPages
