import { Medal } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import classes from './tier-badge.module.css'

/** Bronze, silver or gold, in words and colour. */
export function TierBadge({ tier }: { tier: 'none' | 'bronze' | 'silver' | 'gold' }) {
  const { t } = useTranslation()
  return (
    <span className={classes.badge} data-tier={tier}>
      {tier !== 'none' && <Medal size={13} aria-hidden />}
      {t(`tier.${tier}`)}
    </span>
  )
}
